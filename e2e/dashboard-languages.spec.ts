import { messagesOf } from '../app/intl/messages.ts';
import { titlesBy } from '../app/titles.ts';
import { titleAt } from '../app/ui/title-at.ts';
import { newCast, open, placesOf, visit } from './every-page.ts';
import { expect, sayIn, test } from './people.ts';

const TABS = 3;
/** What is shown in place of a sentence that is missing: its path. */
const UNSAID = new RegExp(`\\b(${Object.keys(messagesOf('en')).join('|')})(\\.[a-zA-Z]\\w*)+\\b`);
/** What a page of several steps adds to its title. */
const STEP = / \(\d+ de \d+\)/;

test('every page says all it has to say in Portuguese and in Spanish: one on the desktop, the other on the phone', async ({
  page,
  api,
  complaints,
}, { project }) => {
  const lang = project.name.endsWith('phone') ? 'es' : 'pt-BR';
  const titles = titlesBy(sayIn(lang));
  const places = placesOf(await newCast(page, api));
  await visit({ page, complaints }, Object.values(places).flat(), TABS, async (tab, { path }) => {
    await open(tab, `${path}?lang=${lang}`);
    await expect.soft(tab.locator('html'), path).toHaveAttribute('lang', lang);
    const title = await tab.title();
    expect.soft(title, path).not.toMatch(UNSAID);
    expect.soft(title.replace(STEP, ''), path).toBe(titleAt(titles, path.split('/').filter(Boolean)));
    expect.soft(await tab.locator('body').innerText(), path).not.toMatch(UNSAID);
  });
});
