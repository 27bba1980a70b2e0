import { newCast, open, placesOf, visit } from './every-page.ts';
import { test } from './people.ts';
import { surveyInBothThemes } from './survey.ts';

const TABS = 2;

for (const part of ['entrances', 'public', 'holder', 'holder, rarely', 'institution'] as const) {
  test(`every page (${part}), in both themes: no accessibility violation, no sideways scrolling, a picture`, async ({
    page,
    api,
    complaints,
  }, info) => {
    const cast = await newCast(page, api);
    await visit({ page, complaints }, placesOf(cast)[part], TABS, async (tab, { name, path }) => {
      await open(tab, path);
      await surveyInBothThemes(tab, `page-${name}`, info);
    });
  });
}
