import { NETWORK_FACTORS } from '../../settings/client-address.ts';
import { LIMIT_WINDOW_SECONDS } from './groups.ts';
import type { LocalStore } from './limit-store.ts';
import { NAME_SEPARATOR, type WindowCharge } from './window.ts';

const WINDOW_MS = LIMIT_WINDOW_SECONDS * 1000;
const SWEPT_PER_CHARGE = 2;
const EXAMINED_FOR_EVICTION = 32;

type Subject = { name: string; slot: number; limit: number; times: number[] };

export type MemoryStore = LocalStore & { size: () => number };

/**
 * Counters in memory. Times are monotonic, so setting the clock back changes nothing.
 * Holds at most `maxSubjects` subjects, each with its charges in the last window. At the limit a new subject replaces
 * an expired one, else the least used of the next 32. A subject that has used its whole limit is never evicted within
 * its window: flooding cannot reset a client's own refusal. If all 32 are such subjects, the new one is refused.
 */
export function createMemoryStore({
  now = () => performance.timeOrigin + performance.now(),
  maxSubjects = 100_000,
} = {}): MemoryStore {
  const subjects = new Map<string, Subject>();
  const slots: Subject[] = [];
  let hand = 0;

  function next(): Subject | undefined {
    if (hand >= slots.length) hand = 0;
    return slots[hand++];
  }

  function remove(subject: Subject): void {
    const last = slots.pop();
    if (last && last !== subject) {
      last.slot = subject.slot;
      slots[subject.slot] = last;
    }
    subjects.delete(subject.name);
  }

  function sweep(count: number, cutoff: number): void {
    for (let examined = 0; examined < count; examined++) {
      const subject = next();
      if (!subject) return;
      if (isOver(subject, cutoff)) remove(subject);
    }
  }

  /** Evicts one subject. Returns undefined, or the time at which the first examined subject frees a charge. */
  function evictOne(cutoff: number): number | undefined {
    let least: Subject | undefined;
    let soonest = Number.POSITIVE_INFINITY;
    for (let examined = 0; examined < EXAMINED_FOR_EVICTION; examined++) {
      const subject = next();
      if (!subject) break;
      if (isOver(subject, cutoff)) {
        remove(subject);
        return undefined;
      }
      dropExpired(subject.times, cutoff);
      soonest = Math.min(soonest, subject.times[0] ?? soonest);
      if (usage(subject) < (least ? usage(least) : 1)) least = subject;
    }
    if (!least) return soonest + WINDOW_MS;
    remove(least);
    return undefined;
  }

  function charge(name: string, limit: number): WindowCharge {
    if (!name.includes(NAME_SEPARATOR)) return chargeOne(name, limit);
    const names = name.split(NAME_SEPARATOR);
    const charges = names.map((each, index) => chargeOne(each, limit * (NETWORK_FACTORS[index] ?? 1)));
    const tightest = charges.reduce(tighter);
    if (!tightest.allowed) {
      for (const [index, each] of names.entries()) if (charges[index]?.allowed) subjects.get(each)?.times.pop();
    }
    return tightest;
  }

  function chargeOne(name: string, limit: number): WindowCharge {
    const at = now();
    const cutoff = at - WINDOW_MS;
    sweep(SWEPT_PER_CHARGE, cutoff);

    const known = subjects.get(name);
    if (!known) {
      const freedAt = slots.length < maxSubjects ? undefined : evictOne(cutoff);
      if (freedAt !== undefined) return { allowed: false, limit, remaining: 0, reset: freedAt };
      const subject: Subject = { name, slot: slots.length, limit, times: [at] };
      slots.push(subject);
      subjects.set(name, subject);
      return { allowed: true, limit, remaining: limit - 1, reset: at + WINDOW_MS };
    }

    const { times } = known;
    dropExpired(times, cutoff);
    const allowed = times.length < limit;
    if (allowed) times.push(at);
    return { allowed, limit, remaining: limit - times.length, reset: (times[0] ?? at) + WINDOW_MS };
  }

  const idle = setInterval(() => sweep(slots.length, now() - WINDOW_MS), WINDOW_MS);
  idle.unref();

  return {
    nameOf: (subject) => subject,
    now,
    size: () => slots.length,
    charge,
    close: async () => clearInterval(idle),
  };
}

/** A refusal that lasts longer, else the window with less left. */
function tighter(one: WindowCharge, other: WindowCharge): WindowCharge {
  if (one.allowed !== other.allowed) return one.allowed ? other : one;
  if (!one.allowed) return one.reset >= other.reset ? one : other;
  return one.remaining <= other.remaining ? one : other;
}

function isOver({ times }: Subject, cutoff: number): boolean {
  return (times[times.length - 1] ?? cutoff) <= cutoff;
}

function usage({ times, limit }: Subject): number {
  return times.length / limit;
}

function dropExpired(times: number[], cutoff: number): void {
  let expired = 0;
  while (expired < times.length && (times[expired] ?? 0) <= cutoff) expired++;
  if (expired === 0) return;
  times.copyWithin(0, expired);
  times.length -= expired;
}
