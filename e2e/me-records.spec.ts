import type { Locator, Page, TestInfo } from '@playwright/test';
import { checkScreen, saveScreenshot } from './check-screen.ts';
import { expect, test, translatorFor } from './fixtures.ts';
import { healthRecord, newStoredHolderWithRecords, submitRecords } from './health-records.ts';
import { chooseLanguage, clickButton, expectScreen } from './page-actions.ts';
import { unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

const VITAMIN_D = 'Vitamin D (25-OH D3)';

test('one signature lets a holder without it read their own records and access log', async ({
  page,
  api,
  request,
}, info) => {
  const { holder, lab } = await newStoredHolderWithRecords(page, api, request);
  const clinic = await api.newInstitution(undefined, 'Clinic Two');
  const { token } = await api.grant(holder, clinic.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] });
  const other = healthRecord(50, '2024-12-01', { ref_range: { optimal_low: 45, functional_high: 90 } });
  const potassium = { functional_low: 3.5, functional_high: 5.1, critical_low: 2.5 };
  const onADay = { collected_at: '2026-01-11', source: {} };
  await submitRecords(request, clinic, holder, token.token_id, [
    other,
    healthRecord(1.9, '', { ...onADay, biomarker: 'BSP-MN-007', unit: 'mmol/L', ref_range: potassium }),
    healthRecord({ systolic: 132, diastolic: 84 }, '', {
      ...onADay,
      biomarker: 'BSP-DV-005',
      unit: 'mmHg',
      ref_range: null,
    }),
  ]);
  await page.goto('/me/records');
  await clickButton(page, t('scope.self.give'));
  await unlockKey(page, t);

  const vitamin = page.getByRole('link', { name: VITAMIN_D });
  await expect(vitamin).toContainText('42.50 ng/mL');
  await expect(vitamin).toContainText(t('records.trend.up', { value: '36 ng/mL' }));
  await expect(vitamin).toContainText('Northern Laboratory');
  await expect(page.getByRole('link', { name: 'APOE Genotype' })).toContainText('=1+1 genotype');
  const outOfRange = page.getByRole('region', { name: t('records.outOfRange') });
  await expect(outOfRange.getByRole('link')).toHaveText([/Potassium.*1\.9 mmol\/L.*Critically low.*11 Jan 2026/]);
  await expect(page.getByRole('link', { name: /Blood Pressure/ })).toContainText('132/84 mmHg');
  await checkScreen(page, 'records', info);

  const show = page.getByLabel(t('records.filter.view'));
  await show.selectOption('visits');
  const panel = page.getByRole('table', { name: t('records.visit.table', { day: '11 Jan 2026' }) });
  await expect(panel.getByRole('row')).toHaveText([
    /Flag/,
    /Potassium.*Critically low.*3\.5 – 5\.1 mmol\/L.*< 2\.5 mmol\/L/,
    /132\/84 mmHg/,
  ]);
  await expect(page.getByText('00:00')).toHaveCount(0);
  await checkScreen(page, 'record-visits', info);
  await show.selectOption('kinds');

  await page.getByLabel(t('records.filter.category')).selectOption('BSP-GN');
  await expect(vitamin).toBeHidden();
  await page.getByLabel(t('records.filter.category')).selectOption('');
  await vitamin.click();
  await expectScreen(page, VITAMIN_D);

  const chart = page.getByRole('figure');
  // Within the range of the laboratory that measured it, but not within that of the clinic.
  const below = t('records.flag.optimal', { side: 'below' });
  await expect(chart.getByRole('listitem').filter({ hasText: below })).toHaveText(
    new RegExp(`^${below}≥ 45 ng/mL, stated by Clinic Two on 1 Dec 2024$`),
  );
  await expect(chart).toContainText('4 values from 1 Dec 2024 to 10 Jan 2026. Lowest 18.4 ng/mL');
  await expect(chart).toContainText('40 – 60 ng/mL');
  await expect(chart.locator('canvas')).toBeVisible();
  await expectSnappingCrosshair(chart);
  const rows = page.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(6);
  const lowest = rows.filter({ hasText: '18.4 ng/mL' });
  await expect(lowest).toContainText(t('clinical.interpretation.L'));
  await expect(lowest).not.toContainText('LC-MS/MS');
  await lowest.getByRole('button', { name: t('records.table.details') }).click();
  await expect(lowest).toContainText('LC-MS/MS');
  const replaced = rows.filter({ hasText: t('records.table.replaced') });
  await expect(replaced.locator('del')).toHaveText('425 ng/mL');
  await expect(replaced).toContainText('by 42.50 ng/mL');
  await expect(rows.filter({ hasText: t('records.table.replaces', { value: '425 ng/mL' }) })).toHaveCount(1);
  await replaced.getByRole('button', { name: t('records.table.details') }).click();
  await expect(replaced.getByRole('link')).toHaveAttribute('href', /^\/explore\/[\w-]{43}$/);
  await checkScreen(page, 'record-chart', info);
  await expectToPrint(page, chart, info);

  await page.getByRole('link', { name: t('records.all') }).click();
  await expect(vitamin).toBeVisible();
  await chooseLanguage(page, 'Português');
  await expect(page.getByRole('link', { name: 'Genótipo da APOE' })).toBeVisible();
  await expect(page.getByRole('heading', { name: translatorFor('pt-BR')('scope.category.BSP-VT') })).toBeVisible();
  await chooseLanguage(page, 'English');
  await expect(page.getByRole('link', { name: 'APOE Genotype' })).toBeVisible();
  await page.getByRole('link', { name: 'your access log' }).click();
  await expectScreen(page, t('access.title'));
  const reader = (name: string, exact: boolean) =>
    page
      .getByRole('region')
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading', { name, exact }) });
  const [ownReads, labUses] = [reader(t('access.me'), true), reader('Northern Laboratory', false)];
  // One request for current and one for replaced records: moving between pages reads nothing again.
  await expect(ownReads).toContainText(t('access.kind.read', { count: 8 }));
  await expect(ownReads).toContainText('in 2 requests');
  await expect(labUses).toContainText(t('access.kind.submit', { count: 5 }));
  await expect(labUses).toContainText(lab.domain);
  await checkScreen(page, 'access', info);
  await page.getByLabel(t('access.notMe')).check();
  await expect(ownReads).toHaveCount(0);
  await expect(labUses).toHaveCount(1);

  await clickButton(page, t('session.putAway'));
  await expect(labUses).toHaveCount(0);
  await expect(page.getByRole('button', { name: t('access.action') })).toBeVisible();
});

test('the list of pending writes covers no focused control on a small phone @long', async ({ page, api, request }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await newStoredHolderWithRecords(page, api, request);
  await page.goto('/me/records');
  await clickButton(page, t('scope.self.give'));
  await unlockKey(page, t);
  await expect(page.getByRole('link', { name: VITAMIN_D })).toBeVisible();
  await expect(page.getByText(t('operations.grantConsent'))).toBeVisible();
  const covered = await page.evaluate(() => {
    const pending = document.querySelector('[data-writes] li');
    const controls = [...document.querySelectorAll<HTMLElement>('main :is(a, button, select), footer a')].filter(
      (element) => !pending?.contains(element),
    );
    return controls.flatMap((element) => {
      element.focus();
      const [box, pendingBox] = [element.getBoundingClientRect(), pending?.getBoundingClientRect()];
      return pendingBox && box.bottom > pendingBox.top && box.top < pendingBox.bottom ? [element.innerText] : [];
    });
  });
  expect(covered).toEqual([]);
});

/** On paper, as wide as that of A4 between its margins, the chart and the whole table are there, and nothing is cut off. */
async function expectToPrint(page: Page, chart: Locator, info: TestInfo): Promise<void> {
  const own = page.viewportSize();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await page.setViewportSize({ width: 658, height: 940 });
  // Red of a band: light on paper, also after the paper's width let the chart be drawn again.
  const redOfBand = () =>
    chart.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      pixel?.drawImage(canvas, canvas.width / 2, canvas.height / 5, 1, 1, 0, 0, 1, 1);
      return pixel?.getImageData(0, 0, 1, 1).data[0];
    });
  await expect.poll(redOfBand).toBeGreaterThan(150);
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await expect(page.getByRole('columnheader', { name: t('records.table.range') })).toBeVisible();
  const [box, wide] = [await chart.locator('canvas').boundingBox(), await chart.boundingBox()];
  expect((box?.x ?? 0) + (box?.width ?? 1_000)).toBeLessThanOrEqual((wide?.x ?? 0) + (wide?.width ?? 0));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(658);
  await saveScreenshot(page, 'record-chart-print', info);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await page.emulateMedia({ media: 'screen', colorScheme: null });
  if (own) await page.setViewportSize(own);
}

/** Drags a finger along the chart: the crosshair follows, from point to point. */
async function expectSnappingCrosshair(chart: Locator): Promise<void> {
  const plot = chart.locator('.u-over');
  const { x, y, width, height } = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const placeAt = async (share: number) => {
    const at = { pointerType: 'touch', clientX: x + width * share, clientY: y + height / 2 };
    await plot.dispatchEvent('pointermove', at);
    return chart.locator('.u-cursor-x').evaluate((line) => line.getBoundingClientRect().left);
  };
  const first = await placeAt(0.001);
  await expect(chart).toContainText('1 Dec 2024, 08:00');
  expect(await placeAt(0.04)).toBe(first);
  expect(await placeAt(0.999)).toBeGreaterThan(first);
  await expect(chart).toContainText('10 Jan 2026, 08:00');
}
