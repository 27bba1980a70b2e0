import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { type Holder, keyOfSeed } from './api.ts';
import { checkScreen } from './check-screen.ts';
import { expect, expectPageError, test, translatorFor } from './fixtures.ts';
import { clickButton, expectScreen } from './page-actions.ts';
import { newOpenedKey, storeIdentity, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');
const HEADER = 'patient;biomarker;value;unit;collected_at;ref_low;ref_high';
/** Three parts of at most a hundred records. */
const ROWS = 250;

/** Rows that are ready, each of another day. */
const rowsFor = ({ domain }: Holder, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const day = new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10);
    return `${domain};BSP-GL-001;98,5;mg/dL;${day};70;99`;
  });

async function pickFile(page: Page, rows: readonly string[]): Promise<void> {
  await page.goto('/institution/submit?way=file');
  await page.getByLabel(t('institution.submit.file.pick'), { exact: true }).setInputFiles({
    name: 'a.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([HEADER, ...rows].join('\r\n')),
  });
}

/** The part on its way, and the receipts before it, are there for whoever opens the overview if this tab ends now. */
async function expectKept(page: Page): Promise<void> {
  const other = await page.context().newPage();
  const titles = [
    t('institution.inbox.unknown.title', { count: 100 }),
    t('institution.inbox.unsaved.title', { count: 2 }),
  ];
  await expect
    .poll(async () => {
      await other.goto('/institution');
      const inbox = other.getByRole('region', { name: t('institution.inbox.title') });
      await expect(inbox.getByRole('listitem').first()).toBeVisible();
      return Promise.all(titles.map((title) => inbox.getByText(title, { exact: true }).count()));
    })
    .toEqual([1, 1]);
  await other.close();
}

/** Runs `work` once, before a request with records is sent: the first one, or a later one. */
async function beforeRequest(page: Page, number: number, work: () => Promise<unknown>): Promise<void> {
  let count = 0;
  await page.route('**/api/exchange/records', async (route) => {
    if (++count === number) await work();
    await route.continue();
  });
}

/** Runs `work` while this browser has lost the receipt of one part. */
async function withoutOneReceipt(page: Page, work: () => Promise<void>): Promise<void> {
  const receipts = await page.evaluateHandle(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    const database = await settled(indexedDB.open('perpetua-receipts'));
    const store = () => database.transaction('parts', 'readwrite').objectStore('parts');
    const name = (await settled(store().getAllKeys())).map(String).find((one) => one.endsWith(':000002')) ?? '';
    const part = await settled(store().get(name));
    await settled(store().delete(name));
    return { putBack: () => settled(store().put(part, name)) };
  });
  await work();
  await receipts.evaluate(({ putBack }) => putBack());
}

test('a file is reviewed, its question answered, and its submission stopped and continued @desktop @long', async ({
  page,
  api,
  pageErrors,
}, info) => {
  const key = await newOpenedKey();
  const [holder, leaving, clinic] = await Promise.all([
    api.newHolder(),
    api.newHolder(),
    api.newInstitution(keyOfSeed(key.seed)),
  ]);
  const scope = { intents: ['SUBMIT_RECORD'], categories: ['*'] };
  await api.grant(holder, clinic.id, scope);
  const { token } = await api.grant(leaving, clinic.id, scope);
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const submit = (count: number) => t('institution.submit.preview.sendFor', { count, people: 1 });

  await test.step('an order of dates that nothing decides is asked with both readings', async () => {
    const days = ['2025-01-09', '05/05/2025', '03/07/2025', '04/07/2025', '05/07/2025 08:30'];
    await pickFile(
      page,
      days.map((day, index) => `${holder.domain};BSP-GL-001;9${index};mg/dL;${day};70;99`),
    );
    const question = page.getByRole('group', { name: t('institution.submit.preview.order.question') });
    const dayFirst = question.getByRole('radio', {
      name: new RegExp(`^${t('institution.submit.preview.order.dayFirst')}`),
    });
    await expect(question.getByText('04/07/2025 = 4 Jul 2025')).toBeVisible();
    await expect(question.getByText('04/07/2025 = 7 Apr 2025')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Submit/ })).toHaveCount(0);
    await checkScreen(page, 'institution-submit-questions', info);
    await dayFirst.check();
    await expect(page.getByRole('button', { name: submit(days.length), exact: true })).toBeVisible();
  });

  await test.step('what is doubtful is asked, and what was assumed is shown with cells of the file', async () => {
    await pickFile(page, [
      ...rowsFor(holder, ROWS - 1),
      `${holder.domain};BSP-MN-004;1.250;ng/mL;2025-12-31;30;1.400`,
      `${holder.domain};BSP-GL-001;abc;mg/dL;31/12/2025;70;99`,
      `${holder.domain};BSP-GL-001;;mg/dL;;70;99`,
    ]);
    const comma = new RegExp(`^${t('institution.submit.preview.mark.comma')}`);
    for (const [question, left] of [
      ['question', 2],
      ['ranges', 1],
    ] as const) {
      await expect(page.getByText(t('institution.submit.preview.answerFirst', { count: left }))).toBeVisible();
      await expect(page.getByRole('button', { name: /^Submit/ })).toHaveCount(0);
      const group = page.getByRole('group', { name: t(`institution.submit.preview.mark.${question}`) });
      await group.getByRole('radio', { name: comma }).check();
    }
    await expect(page.getByRole('button', { name: submit(ROWS), exact: true })).toBeVisible();
    await expect(page.getByText('98,5 = 98.5')).toBeVisible();
    await expect(page.getByText('31/12/2025 = 31 Dec 2025')).toBeVisible();
    await page.getByRole('radio', { name: new RegExp(`^${t('institution.submit.preview.state.bad')}`) }).check();
    await expect(page.getByRole('rowheader')).toContainText(['Row 252', 'Row 253']);
    await checkScreen(page, 'institution-submit-review', info);
  });

  await test.step('Stop ends it after the part on its way, and the rest can be submitted', async () => {
    await beforeRequest(page, 1, () => clickButton(page, t('institution.submit.sending.stop')));
    await clickButton(page, submit(ROWS));
    await unlockKey(page, t);
    await expect(page.getByText(t('institution.submit.sending.stoppedByYou'))).toBeVisible();
    await expect(page.getByText(t('institution.submit.sending.submitted', { done: 100, all: ROWS }))).toBeVisible();
    await checkScreen(page, 'institution-submit-stopped', info);
    await clickButton(page, t('institution.submit.sending.goOn', { count: ROWS - 100 }));
    await expect(
      page.getByRole('heading', { name: t('institution.submit.sending.done', { count: ROWS }) }),
    ).toBeVisible();
    await expect(page.getByText(t('institution.submit.sending.leftRows', { count: 2 }))).toBeVisible();
    await page.unroute('**/api/exchange/records');
  });

  await test.step('a refusal is named on top with its row, and only what can work is offered', async () => {
    page.on('dialog', (dialog) => dialog.accept());
    await pickFile(page, rowsFor(leaving, ROWS));
    await beforeRequest(page, 2, async () => {
      await expectKept(page);
      await api.revoke(leaving, token.token_id);
    });
    await clickButton(page, submit(ROWS));
    await unlockKey(page, t);
    const alert = page.getByRole('alert').filter({ hasText: t('errors.TOKEN_REVOKED') });
    await expect(alert).toContainText('Stopped at row 102');
    await expect(alert).toContainText(t('institution.submit.sending.submitted', { done: 100, all: ROWS }));
    await expect(page.getByRole('button', { name: t('institution.submit.sending.receipts') })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Submit the other/ })).toHaveCount(0);
    // Nothing covers the summary: submissions are not announced by the strip at the bottom.
    await expect(page.locator('[data-writes] li')).toHaveCount(0);
    await checkScreen(page, 'institution-submit-refused', info);
    await expectPageError(pageErrors, 'status of 401');
  });

  await test.step('what failed and what was not saved waits on the overview, and is settled on the page of submissions', async () => {
    await page.goto('/institution');
    const inbox = page.getByRole('region', { name: t('institution.inbox.title') });
    await expect(inbox.getByText(t('institution.inbox.failed.title', { count: ROWS - 100 }))).toBeVisible();
    await checkScreen(page, 'institution-inbox-failed', info);
    await inbox.getByRole('link', { name: t('institution.inbox.unsaved.action') }).click();
    await expectScreen(page, t('institution.submissions.title'));
    await checkScreen(page, 'institution-submissions-unfinished', info);
    const saves = page.getByRole('button', { name: t('institution.submissions.unfinished.save') });
    await page
      .getByRole('button', { name: t('institution.submissions.unfinished.dismiss') })
      .first()
      .click();
    await expect(page.getByRole('dialog')).toContainText(
      t('institution.submissions.unfinished.losing.title', { count: ROWS }),
    );
    await checkScreen(page, 'institution-submissions-dismiss', info);
    await clickButton(page, t('institution.submissions.unfinished.losing.stay'));
    await expect(saves).toHaveCount(2);
    await withoutOneReceipt(page, async () => {
      await Promise.all([page.waitForEvent('download'), saves.first().click()]);
      await expect(page.getByText(t('institution.submissions.unfinished.lost', { lost: 1, saved: 2 }))).toBeVisible();
      await expect(saves).toHaveCount(2);
    });
    for (const left of [1, 0]) {
      const [download] = await Promise.all([page.waitForEvent('download'), saves.first().click()]);
      expect(download.suggestedFilename()).toMatch(/^perpetua-receipts-/);
      await expect(saves).toHaveCount(left);
    }
    await clickButton(page, t('institution.submissions.unfinished.dismiss'));
    await expect(page.getByText(t('institution.submissions.unfinished.failedBody'))).toHaveCount(0);
  });
});

test('the codes of a laboratory are assigned once, kept for the next file, saved and opened @desktop @long', async ({
  page,
  api,
}, info) => {
  const key = await newOpenedKey();
  const [holder, clinic] = await Promise.all([api.newHolder(), api.newInstitution(keyOfSeed(key.seed))]);
  const { token } = await api.grant(holder, clinic.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] });
  await storeIdentity(page, { id: clinic.id, kind: 'institution', domain: clinic.domain }, key);
  const pick = async (...rows: readonly string[]) => {
    await page.goto(`/institution/submit?${new URLSearchParams({ way: 'file', consent: token.token_id })}`);
    await page.getByLabel(t('institution.submit.file.pick'), { exact: true }).setInputFiles({
      name: 'a.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['Exame;Resultado;Unidade;Data da coleta', ...rows].join('\r\n')),
    });
  };
  const choice = (text: string) => page.getByRole('combobox', { name: new RegExp(`^${text}`) });
  const title = page.getByRole('heading', { name: t('institution.submit.codes.title') });
  const rows = ['GLUCOSE;92;mg/dL;18/11/2026', 'GLUCOSE;95;mg/dL;19/11/2026', 'TSH;2,1;mUI/L;18/11/2026'];

  await pick(...rows);
  await expect(title).toBeVisible();
  await expect(choice('TSH')).toHaveValue('BSP-HR-001');
  // Fasting or after a meal: that is for the laboratory to say.
  await expect(choice('GLUCOSE')).toHaveValue('');
  const suggested = choice('GLUCOSE').locator(`optgroup[label="${t('institution.submit.codes.suggested')}"]`);
  await expect(suggested).toContainText('BSP-GL-001');
  await choice('GLUCOSE').selectOption('BSP-GL-001');
  await checkScreen(page, 'institution-submit-codes', info);
  await clickButton(page, t('institution.submit.codes.keep', { count: 2 }));
  const mapped = page.getByText(/^2 codes mapped from your table of /);
  await expect(mapped).toBeVisible();
  await expect(page.getByText('GLUCOSE = BSP-GL-001')).toBeVisible();

  await pick(...rows, 'HEMO-X;14;g/dL;18/11/2026');
  await expect(title).toBeVisible();
  await expect(choice('GLUCOSE')).toHaveValue('BSP-GL-001');
  await page.getByText(t('institution.submit.codes.file')).click();
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    clickButton(page, t('institution.submit.codes.save', { count: 2 })),
  ]);
  const table = await readFile(await saved.path(), 'utf8');
  expect(table.split('\r\n')).toEqual(['code,biomarker', 'GLUCOSE,BSP-GL-001', 'TSH,BSP-HR-001', '']);
  await page.getByLabel(t('institution.submit.codes.open'), { exact: true }).setInputFiles({
    name: 'codes.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${table}HEMO-X,BSP-HM-002\r\n`),
  });
  await expect(choice('HEMO-X')).toHaveValue('BSP-HM-002');
  await clickButton(page, t('institution.submit.codes.keep', { count: 3 }));
  await expect(page.getByText(/^3 codes mapped from your table of /)).toBeVisible();

  // More than fit on one page: the rest is on the next one, and what is known already comes last.
  await pick(...rows, ...Array.from({ length: 110 }, (_, index) => `X-${index};1;mg/dL;18/11/2026`));
  await expect(page.getByText(t('institution.submit.codes.page', { first: 1, last: 100, count: 112 }))).toBeVisible();
  await choice('X-0 ').selectOption('BSP-GL-001');
  await clickButton(page, t('institution.submit.codes.keep', { count: 1 }));
  await expect(page.getByText(t('institution.submit.codes.page', { first: 101, last: 112, count: 112 }))).toBeVisible();
  await expect(choice('TSH')).toHaveValue('BSP-HR-001');
  await choice('X-109 ').selectOption('BSP-HM-002');
  await clickButton(page, t('institution.submit.codes.keep', { count: 3 }));
  await expect(page.getByText(/^4 codes mapped from your table of /)).toBeVisible();

  await pick(...rows);
  await expect(mapped).toBeVisible();
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect(page.getByText(t('institution.submit.preview.inFile', { written: 'TSH' }))).toBeVisible();
});
