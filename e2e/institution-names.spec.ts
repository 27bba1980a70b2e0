import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { type Api, keyOfSeed } from './api.ts';
import { measured, submitted } from './health-records.ts';
import { expect, sayIn, test } from './people.ts';
import { newOpenedKey, PASSPHRASE, rememberIn } from './signed-in.ts';
import { choice, choose, onScreen, press } from './steps.ts';
import { survey } from './survey.ts';

const say = sayIn('en');
const CERTIFIED = `${say('scope.certLevel.ADVANCED')}, ${say('scope.certification.limited')}`;
const UNCERTIFIED = say('scope.certLevel.UNCERTIFIED');

/** A certified laboratory, a stranger below its domain, and a browser that knows somebody who lets both of them add records. */
async function laboratories(page: Page, api: Api) {
  const key = await newOpenedKey();
  const word = randomUUID().slice(0, 8);
  const [holder, lab] = await Promise.all([
    api.newHolder(keyOfSeed(key.seed)),
    api.newInstitution(undefined, `Laboratory ${word}`, 'LAB'),
  ]);
  const stranger = await api.newInstitution(undefined, `Results of ${word}`, 'LAB', `results.${lab.domain}`);
  await api.certify(lab.id, { level: 'ADVANCED', intents: ['SUBMIT_RECORD'], categories: ['BSP-VT', 'BSP-GN'] });
  const scope = { intents: ['SUBMIT_RECORD'], categories: ['*'] };
  const tokens = await Promise.all([lab, stranger].map(({ id }) => api.grant(holder, id, scope)));
  await rememberIn(page, { id: holder.id, kind: 'holder', domain: holder.domain }, key);
  return {
    holder,
    tokens: tokens.map(({ token }) => token.token_id),
    lab: { ...lab, name: `Laboratory ${word}` },
    stranger: { ...stranger, name: `Results of ${word}` },
    above: say('scope.certification.above', { above: lab.domain }),
  };
}

const unlock = async (page: Page): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: say('session.unlock.title') });
  await dialog.locator('input[type=password]').fill(PASSPHRASE);
  await dialog.getByRole('button', { name: say('session.unlock.open'), exact: true }).click();
  await expect(dialog).toBeHidden();
};

test('beside every name stands whether it is certified, and that results.<domain> is somebody else’s', async ({
  page,
  api,
  request,
}, info) => {
  const { holder, lab, stranger, above, tokens } = await laboratories(page, api);
  const [ofLab = '', ofStranger = ''] = tokens;
  await submitted(request, lab, holder, ofLab, [measured(30, '2026-01-10')]);
  await submitted(request, stranger, holder, ofStranger, [measured(31, '2026-02-10')]);
  const expectMarked = async (parts: ReturnType<Page['getByRole']>) => {
    const [certified, other] = [parts.filter({ hasText: lab.name }), parts.filter({ hasText: stranger.name })];
    await expect(certified.first()).toContainText(CERTIFIED);
    await expect(certified.first()).not.toContainText(above);
    await expect(other.first()).toContainText(UNCERTIFIED);
    await expect(other.first()).toContainText(above);
  };

  await page.goto('/me');
  await expectMarked(page.getByRole('main').getByRole('listitem'));
  await page.goto('/me/consents');
  await expectMarked(page.getByRole('main').getByRole('listitem'));
  const beyond = say('scope.certification.beyond', {
    what: say('scope.certification.otherData', {
      categories: `${say('scope.category.BSP-VT')} and ${say('scope.category.BSP-GN')}`,
    }),
  });
  await expect(page.getByRole('listitem').filter({ hasText: lab.name })).toContainText(beyond);
  await survey(page, 'consents-marked', info);
  await page.goto(`/me/consents/${ofStranger}`);
  await expectMarkedAlone(page.getByRole('article'), above);

  await page.goto('/me/records');
  await press(page, say('scope.self.give'));
  await unlock(page);
  const vitamin = page.getByRole('link', { name: 'Vitamin D' });
  await expect(vitamin).toContainText(UNCERTIFIED);
  await vitamin.click();
  await expectMarked(page.getByRole('table').getByRole('row'));
  await survey(page, 'records-marked', info);
  await page.getByRole('link', { name: say('records.all') }).click();
  await page.getByRole('link', { name: 'your access log' }).click();
  await expectMarked(page.getByRole('region').getByRole('listitem'));
  await survey(page, 'access-marked', info);

  await page.goto(`/explore/${holder.domain}`);
  const consents = page.getByRole('region', { name: say('explore.consents.title') }).getByRole('row');
  await expect(consents.filter({ hasText: stranger.domain })).toContainText(above);
  await expect(consents.filter({ hasText: lab.domain }).filter({ hasText: CERTIFIED })).toHaveCount(1);
  for (const reference of [ofStranger, stranger.domain]) {
    await page.goto(`/explore/${reference}`);
    await expectMarkedAlone(page.getByRole('article'), above);
  }
  await page.goto(`/explore/${lab.domain}`);
  await expect(page.getByRole('article')).toContainText(CERTIFIED);
  await survey(page, 'explore-marked', info);
});

async function expectMarkedAlone(part: ReturnType<Page['getByRole']>, above: string): Promise<void> {
  await expect(part).toContainText(UNCERTIFIED);
  await expect(part).toContainText(above);
}

test('who gives a consent sees what the institution is not certified for, before signing', async ({
  page,
  api,
}, info) => {
  const { lab, stranger, above } = await laboratories(page, api);
  await page.goto('/me/consents/new');
  await page.getByRole('searchbox', { name: say('consents.who.search') }).fill(lab.name.split(' ')[1] ?? '');
  await expect(choice(page, stranger.name)).toContainText(above);
  await expect(choice(page, stranger.name)).toContainText(say('consents.who.uncertified'));
  const only = [say('scope.intent.SUBMIT_RECORD.name'), say('scope.category.BSP-VT')];
  for (const word of [CERTIFIED, ...only]) await expect(choice(page, lab.name)).toContainText(word);
  await survey(page, 'consent-who-marked', info);
  await choose(page, lab.name);

  await onScreen(page, say('consents.may.title', { who: lab.name }));
  const main = page.getByRole('main');
  await expect(main).toContainText(CERTIFIED);
  const beyondThis = say('scope.certification.beyondThis');
  const option = (name: string) => main.locator('label').filter({ hasText: new RegExp(`^${name}`, 'i') });
  await expect(option(say('scope.intent.READ_RECORDS.name'))).toContainText(beyondThis);
  await expect(option(say('scope.intent.SUBMIT_RECORD.name'))).not.toContainText(beyondThis);
  await option(say('scope.intent.READ_RECORDS.name')).getByRole('checkbox').check();
  await option(say('scope.intent.SUBMIT_RECORD.name')).getByRole('checkbox').check();
  await survey(page, 'consent-may-marked', info);
  await press(page, say('common.next'));
  await option(say('consents.data.some')).getByRole('radio').check();
  await expect(option(say('scope.category.BSP-HR'))).toContainText(beyondThis);
  await expect(option(say('scope.category.BSP-VT'))).not.toContainText(beyondThis);
  await option(say('scope.category.BSP-HR')).getByRole('checkbox').check();
  await option(say('scope.category.BSP-VT')).getByRole('checkbox').check();
  await press(page, say('common.next'));
  await option(say('consents.when.any')).getByRole('radio').check();
  await press(page, say('common.next'));
  await option(say('consents.long.days', { days: 90 }))
    .getByRole('radio')
    .check();
  await press(page, say('common.next'));
  await onScreen(page, say('consents.review.title', { who: lab.name }));
  const what = `${say('scope.intent.READ_RECORDS.name')}; ${say('scope.category.BSP-HR')}`;
  await expect(main).toContainText(say('scope.certification.beyond', { what }));
  await survey(page, 'consent-review-marked', info);
});
