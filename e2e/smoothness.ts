import type { CDPSession, Page } from '@playwright/test';
import { keyOfSeed } from './api.ts';
import { measured, submitted } from './health-records.ts';
import { expect, sayIn, test } from './people.ts';
import { multiplyConsent } from './product-database.ts';
import { newOpenedKey, PASSPHRASE, rememberIn } from './signed-in.ts';
import { press } from './steps.ts';

const say = sayIn('en');

const MANY = 10_000;
const BATCH = 100;
const DAY_MS = 86_400_000;
const SLOWLY = { timeout: 120_000 };
/** px a second, and as far as that takes some seconds. */
const SCROLL = { speed: 4_000, distance: 20_000 };
const SWEEPS = 4;
/** As much slower as a middling phone is. */
const PHONE = 4;
const SLOW_FRAME_MS = 50;

type Frames = Record<string, number>;

test('ten thousand consents, and ten thousand values: how long frames take while somebody moves through them', async ({
  page,
  api,
  request,
}) => {
  const opened = await newOpenedKey();
  const [holder, lab] = await Promise.all([
    api.newHolder(keyOfSeed(opened.seed)),
    api.newInstitution(undefined, 'Northern Laboratory', 'LAB'),
  ]);
  const { token } = await api.grant(holder, lab.id, { intents: ['SUBMIT_RECORD'], categories: ['*'] });
  for (let first = 0; first < MANY; first += BATCH) {
    await submitted(
      request,
      lab,
      holder,
      token.token_id,
      Array.from({ length: BATCH }, (_, index) => value(first + index)),
    );
  }
  await multiplyConsent(token.token_id, MANY - 1);
  await rememberIn(page, { id: holder.id, kind: 'holder', domain: holder.domain }, opened);
  const browser = await page.context().newCDPSession(page);
  const table: Record<string, Frames> = {};

  await page.goto('/me/consents');
  await expect(page.getByText(/8,0\d\d in force/)).toBeVisible(SLOWLY);
  await atBothSpeeds('consents, scrolling', () => scroll(browser, page));

  await page.goto('/me/records');
  await press(page, say('scope.self.give'));
  const dialog = page.getByRole('dialog', { name: say('session.unlock.title') });
  await dialog.locator('input[type=password]').fill(PASSPHRASE);
  await dialog.getByRole('button', { name: say('session.unlock.open'), exact: true }).click();
  await page.getByRole('link', { name: 'Vitamin D' }).click(SLOWLY);
  const chart = page.getByRole('figure').locator('canvas');
  await expect(page.getByRole('figure')).toContainText('10,000 values', SLOWLY);
  await expect(chart).toBeVisible(SLOWLY);
  await atBothSpeeds('chart, pointing at it', async () => {
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    if (!box) throw new Error('The chart is not on the page.');
    for (let sweep = 0; sweep < SWEEPS; sweep++)
      await page.mouse.move(box.x + (sweep % 2 ? 10 : box.width - 10), box.y + box.height / 2, { steps: 60 });
  });
  await atBothSpeeds('values, scrolling', () => scroll(browser, page));

  console.log('\nms from one frame to the next; on a phone with a processor four times slower:');
  console.table(table);

  async function atBothSpeeds(name: string, move: () => Promise<void>): Promise<void> {
    for (const [device, rate] of Object.entries({ here: 1, phone: PHONE })) {
      await browser.send('Emulation.setCPUThrottlingRate', { rate });
      table[`${name} (${device})`] = await framesDuring(page, move);
      await browser.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    }
  }
});

/** A value of vitamin D that wanders, one a day, back from yesterday. */
function value(index: number) {
  const day = new Date(Date.now() - (index + 1) * DAY_MS).toISOString().slice(0, 10);
  return measured(Math.round(450 + 150 * Math.sin(index / 40) + (index % 17)) / 10, day);
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

/** Notes when frames are drawn while something moves. */
async function framesDuring(page: Page, move: () => Promise<void>): Promise<Frames> {
  const noted = page.evaluateHandle(() => {
    const times: number[] = [];
    const note = (time: number) => {
      times.push(time);
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
    return times;
  });
  const times = await noted;
  await move();
  const gaps = (await times.jsonValue()).flatMap((time, index, all) =>
    index ? [time - (all[index - 1] ?? time)] : [],
  );
  const sorted = gaps.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0);
  expect(gaps.length).toBeGreaterThan(0);
  return {
    frames: gaps.length,
    median: at(0.5),
    'at most, of 95 %': at(0.95),
    longest: at(1),
    'slow, %': Math.round((gaps.filter((gap) => gap > SLOW_FRAME_MS).length / gaps.length) * 1_000) / 10,
  };
}
