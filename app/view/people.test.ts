import { expect, test } from 'vitest';
import { uuidV5 } from '../../protocol/ids.ts';
import type { Subject } from './contents.ts';
import { isHolder, peopleOf, whoseOf } from './people.ts';
import type { Verdict } from './verdict.ts';

const person = (name: string): Subject => ({ id: uuidV5(name), name: null, domain: `${name}.bsp`, birthDate: null });
const [ana, bob] = [person('ana'), person('bob')];
const tokenOf = ({ id, domain }: Subject) => ({ beo_id: id ?? '', beo_domain: domain });
const proved = (holder: string | null) => ({ state: 'proved', holder }) as Verdict;

test('the holder of a consent is who has its id and its domain; of an ended identity only the id is left', () => {
  expect(isHolder(ana, tokenOf(ana))).toBe(true);
  for (const other of [bob, { ...ana, id: bob.id }, { ...ana, domain: bob.domain }, { ...ana, id: null }, null])
    expect(isHolder(other, tokenOf(ana))).toBe(false);
  expect(isHolder({ ...bob, domain: 'ana.bsp' }, { ...tokenOf(bob), beo_domain: null })).toBe(true);
});

test('a domain is shown as checked only with a proof about it, and never for an identity that has ended', () => {
  const posing = { ...bob, domain: ana.domain };
  const contents = { subjects: [ana, posing], records: [ana, posing, ana].map((subject) => ({ subject })) } as never;
  const knownOf = (...verdicts: Verdict[]) => peopleOf(contents, verdicts).map(({ known }) => known);
  expect(knownOf({ state: 'checking' }, { state: 'none' })).toEqual(['stated', 'stated']);
  expect(knownOf({ state: 'altered', why: 'holder' }, proved(null), proved(ana.domain))).toEqual(['proved', 'ended']);
});

test('a result says whose it is unless the only person of the page is', () => {
  const [one, other] = [ana, bob].map((subject) => ({ subject, known: 'stated' }) as const);
  if (!one || !other) throw new Error('no people');
  expect(whoseOf({ subject: ana }, [one])).toBeNull();
  expect(whoseOf({ subject: null }, [])).toBeNull();
  expect(whoseOf({ subject: null }, [one])).toBe('unknown');
  expect(whoseOf({ subject: bob }, [one, other])).toBe(other);
});
