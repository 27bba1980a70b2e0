import { expect, type Locator, type Page } from '@playwright/test';

/** Keeps the scripts of a page back until they are let go. */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_next/static/**/*.js', async (route) => {
    await released;
    // The page that asked may be gone by now.
    await route.continue().catch(() => undefined);
  });
  return release;
}

/** React has taken over an element once its properties hang on it. */
export const hydrated = (element: Locator) =>
  expect
    .poll(() => element.evaluate((node) => Object.keys(node).some((name) => name.startsWith('__reactProps'))))
    .toBe(true);

/**
 * Presses an element at the moment when React answers presses already and the router does not hear of addresses yet: after what was
 * taken over has been committed, before its effects. Browsers deliver there a press that came while the page was busy.
 * @returns whether it was pressed then: a page need not have such a moment
 */
export async function pressAtTakeOver(page: Page, selector: string): Promise<() => Promise<boolean>> {
  await page.addInitScript((selector) => {
    // React writes the address while it commits; that its time is up then puts the effects into a task of their own.
    let late = 0;
    const clock = performance.now.bind(performance);
    performance.now = () => clock() + late;
    const { replaceState } = history;
    History.prototype.replaceState = function (...given) {
      late += 1000;
      replaceState.apply(this, given);
    };
    const pressOnce = () => {
      const element = document.querySelector<HTMLElement>(selector);
      const isTaken = element && Object.keys(element).some((name) => name.startsWith('__reactProps'));
      if (late === 0 || !isTaken || Object.hasOwn(history, 'pushState') || sessionStorage.getItem('pressed')) return;
      sessionStorage.setItem('pressed', 'yes');
      element.click();
    };
    const handler = Object.getOwnPropertyDescriptor(MessagePort.prototype, 'onmessage');
    Object.defineProperty(MessagePort.prototype, 'onmessage', {
      ...handler,
      set(listener: (event: MessageEvent) => void) {
        handler?.set?.call(this, (event: MessageEvent) => {
          listener.call(this, event);
          pressOnce();
        });
      },
    });
  }, selector);
  return () => page.evaluate(() => sessionStorage.getItem('pressed') !== null);
}
