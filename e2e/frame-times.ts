import type { CDPSession, Page } from '@playwright/test';
import { expect, test, translatorFor } from './fixtures.ts';
import { healthRecord, submitRecords } from './health-records.ts';
import { clickButton } from './page-actions.ts';
import { copyConsent } from './product-database.ts';
import { newStoredHolder, unlockKey } from './stored-identity.ts';

const t = translatorFor('en');

const MANY = 10_000;
const BATCH = 100;
const DAY_MS = 86_400_000;
const LONG_TIMEOUT = { timeout: 120_000 };
/** In px a second, and px. */
const SCROLL = { speed: 4_000, distance: 20_000 };
const SWEEPS = 4;
/** How many times slower the processor of a mid-range phone is. */
const PHONE_SLOWDOWN = 4;
const SLOW_FRAME_MS = 50;

type FrameTimes = Record<string, number>;

test('measures frame times while a user scrolls 10,000 consents and 10,000 values', async ({ page, api, request }) => {
  const [holder, lab] = await Promise.all([
    newStoredHolder(page, api),
    api.newInstitution(undefined, 'Northern Laboratory', 'LAB'),
  ]);
  const { token } = await api.grant(holder, lab.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] });
  for (let first = 0; first < MANY; first += BATCH) {
    await submitRecords(
      request,
      lab,
      holder,
      token.token_id,
      Array.from({ length: BATCH }, (_, index) => dailyRecord(first + index)),
    );
  }
  await copyConsent(token.token_id, MANY - 1);
  const browser = await page.context().newCDPSession(page);
  const table: Record<string, FrameTimes> = {};

  await page.goto('/me/consents');
  await expect(page.getByText(/8,0\d\d active/)).toBeVisible(LONG_TIMEOUT);
  await atBothSpeeds('consents, scrolling', () => scroll(browser, page));

  await page.goto('/me/records');
  await clickButton(page, t('scope.self.give'));
  await unlockKey(page, t);
  await page.getByRole('link', { name: 'Vitamin D' }).click(LONG_TIMEOUT);
  const chart = page.getByRole('figure').locator('canvas');
  await expect(page.getByRole('figure')).toContainText('10,000 values', LONG_TIMEOUT);
  await expect(chart).toBeVisible(LONG_TIMEOUT);
  await atBothSpeeds('chart, moving the pointer', async () => {
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    if (!box) throw new Error('The chart is not on the page.');
    for (let sweep = 0; sweep < SWEEPS; sweep++)
      await page.mouse.move(box.x + (sweep % 2 ? 10 : box.width - 10), box.y + box.height / 2, { steps: 60 });
  });
  await atBothSpeeds('values, scrolling', () => scroll(browser, page));

  console.log(`\nms between frames; 'phone' has a processor ${PHONE_SLOWDOWN} times slower:`);
  console.table(table);

  async function atBothSpeeds(name: string, action: () => Promise<void>): Promise<void> {
    for (const [device, rate] of Object.entries({ here: 1, phone: PHONE_SLOWDOWN })) {
      await browser.send('Emulation.setCPUThrottlingRate', { rate });
      table[`${name} (${device})`] = await frameTimesDuring(page, action);
      await browser.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    }
  }
});

/** A value of vitamin D for each day before today. */
function dailyRecord(index: number) {
  const day = new Date(Date.now() - (index + 1) * DAY_MS).toISOString().slice(0, 10);
  return healthRecord(Math.round(450 + 150 * Math.sin(index / 40) + (index % 17)) / 10, day);
}

async function scroll(browser: CDPSession, page: Page): Promise<void> {
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  await browser.send('Input.synthesizeScrollGesture', {
    x: width / 2,
    y: height / 2,
    yDistance: -SCROLL.distance,
    speed: SCROLL.speed,
  });
}

/** Measures the times between frames during an action. */
async function frameTimesDuring(page: Page, action: () => Promise<void>): Promise<FrameTimes> {
  const times = await page.evaluateHandle(() => {
    const times: number[] = [];
    const record = (time: number) => {
      times.push(time);
      requestAnimationFrame(record);
    };
    requestAnimationFrame(record);
    return times;
  });
  await action();
  const gaps = (await times.jsonValue()).flatMap((time, index, all) =>
    index ? [time - (all[index - 1] ?? time)] : [],
  );
  const sorted = gaps.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0);
  expect(gaps.length).toBeGreaterThan(0);
  return {
    frames: gaps.length,
    median: at(0.5),
    '95th percentile': at(0.95),
    longest: at(1),
    'slow, %': Math.round((gaps.filter((gap) => gap > SLOW_FRAME_MS).length / gaps.length) * 1_000) / 10,
  };
}
