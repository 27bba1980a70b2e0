import { messagesOf } from '../app/intl/messages.ts';
import { newCast, open, placesOf, visit } from './every-page.ts';
import { expect, test } from './people.ts';

const TABS = 3;
/** What is shown in place of a sentence that is missing: its path. */
const UNSAID = new RegExp(`\\b(${Object.keys(messagesOf('en')).join('|')})(\\.[a-zA-Z]\\w*)+\\b`);

test('every page says all it has to say in Portuguese and in Spanish: one on the desktop, the other on the phone', async ({
  page,
  api,
  complaints,
}, { project }) => {
  const lang = project.name.endsWith('phone') ? 'es' : 'pt-BR';
  const places = placesOf(await newCast(page, api));
  await visit({ page, complaints }, Object.values(places).flat(), TABS, async (tab, { path }) => {
    await open(tab, `${path}?lang=${lang}`);
    await expect.soft(tab.locator('html'), path).toHaveAttribute('lang', lang);
    expect.soft(await tab.title(), path).not.toMatch(UNSAID);
    expect.soft(await tab.locator('body').innerText(), path).not.toMatch(UNSAID);
  });
});
