import { setTimeout as sleep } from 'node:timers/promises';
import { residentMemory } from './process-facts.ts';

const LOOK_MS = 20;

/** Does some work and looks, meanwhile, at what another process holds. Bytes. */
export async function mostMemoryWhile<Result>(
  pid: number,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly before: number; readonly most: number }> {
  const before = (await residentMemory(pid)).now;
  let most = before;
  let working = true;
  const watching = (async () => {
    while (working) {
      most = Math.max(most, (await residentMemory(pid)).now);
      await sleep(LOOK_MS);
    }
  })();
  try {
    return { result: await work(), before, most };
  } finally {
    working = false;
    await watching;
  }
}
