import { expect, type Locator, type Page } from '@playwright/test';

/** Delays the scripts of a page. @returns a function that releases them */
export async function delayScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_next/static/**/*.js', async (route) => {
    await released;
    // The page may be closed by now.
    await route.continue().catch(() => undefined);
  });
  return release;
}

/** React has hydrated an element once its props are attached to it. */
export const expectHydrated = (element: Locator) =>
  expect
    .poll(() => element.evaluate((node) => Object.keys(node).some((name) => name.startsWith('__reactProps'))))
    .toBe(true);

/** A page has started everything that it does by itself: it is loaded and hydrated, and the browser has run its effects. */
export async function expectStarted(page: Page): Promise<void> {
  await page.waitForLoadState('load');
  await expectHydrated(page.getByRole('main'));
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
}

/**
 * Clicks an element when React handles clicks but the router does not watch the address yet: after the hydrated tree is committed,
 * before its effects run. A browser delivers there a click made while the page was busy.
 * @returns whether the element was clicked: not every page has this moment
 */
export async function clickDuringHydration(page: Page, selector: string): Promise<() => Promise<boolean>> {
  await page.addInitScript((selector) => {
    // React calls replaceState while it commits. A clock that jumps there makes it run the effects in a separate task.
    let late = 0;
    const clock = performance.now.bind(performance);
    performance.now = () => clock() + late;
    const { replaceState } = history;
    History.prototype.replaceState = function (...given) {
      late += 1000;
      replaceState.apply(this, given);
    };
    const clickOnce = () => {
      const element = document.querySelector<HTMLElement>(selector);
      const isHydrated = element && Object.keys(element).some((name) => name.startsWith('__reactProps'));
      if (late === 0 || !isHydrated || Object.hasOwn(history, 'pushState') || sessionStorage.getItem('clicked')) return;
      sessionStorage.setItem('clicked', 'yes');
      element.click();
    };
    const handler = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
    Object.defineProperty(MessagePort.prototype, 'onmessage', {
      ...handler,
      set(listener: (event: MessageEvent) => void) {
        handler?.set?.call(this, (event: MessageEvent) => {
          listener.call(this, event);
          clickOnce();
        });
      },
    });
  }, selector);
  return () => page.evaluate(() => sessionStorage.getItem('clicked') !== null);
}
