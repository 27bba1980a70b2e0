import { describe, expect, test } from 'vitest';
import { utf8ToBytes } from '../signing/encoding.ts';
import vectors from '../vectors/transparency.json' with { type: 'json' };
import { checkProofFile } from './check-proof-file.ts';
import { readPolicy } from './checkpoint.ts';

type Vector = (typeof vectors.proofs)[number];

const stepsOf = ({ file, log, witnesses }: Vector, id: string) => [
  ...checkProofFile(utf8ToBytes(file), readPolicy({ log, witnesses, quorum: 0 }), id),
];

/** The id of the entry in a file, which the step `item` computes. */
function idIn(vector: Vector): string {
  const [item] = stepsOf(vector, '');
  return item?.facts.find(([name]) => name === 'computedId')?.[1] ?? '';
}

const badSteps = (vector: Vector, id = idIn(vector)): string[] =>
  stepsOf(vector, id)
    .filter(({ verdict }) => verdict === 'bad')
    .map(({ name }) => name);

/** The step that fails, by the flaw of the vector. The number of witnesses that must cosign is for the reader to judge. */
const STEP: Readonly<Record<string, readonly string[]>> = {
  valid: [],
  witnesses: [],
  malformed: ['checkpoint'],
  unsigned: ['checkpoint'],
  signature: ['checkpoint'],
  origin: ['checkpoint'],
  place: ['inclusion'],
  inclusion: ['inclusion'],
};

describe('the steps of a proof file', () => {
  const ofTheLog = vectors.proofs.filter(({ result }) => result !== 'item');

  test.each(ofTheLog.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    expect(badSteps(vector)).toEqual(STEP[vector.result]);
  });

  const ofTheItem = vectors.proofs.filter(({ result }) => result === 'item');

  test.each(ofTheItem.map((vector) => [vector.name, vector] as const))('%s: a step fails', (_, vector) => {
    expect(badSteps(vector)).not.toEqual([]);
  });

  const [valid] = vectors.proofs;
  if (!valid) throw new Error('There are vectors.');

  test('name the witnesses, and when each cosigned', () => {
    const witnesses = stepsOf(valid, idIn(valid)).find(({ name }) => name === 'witnesses');
    expect(witnesses).toMatchObject({ verdict: 'good', checked: 2, of: 3 });
    expect(witnesses).toHaveProperty('cosigners', [
      { name: 'witness.example/one', at: 1_764_000_000 },
      { name: 'witness.example/two', at: 1_764_000_060 },
      { name: 'witness.example/three', at: null },
    ]);
    const one = vectors.proofs.find(({ name }) => name === 'one witness cosigned, and two are required') ?? valid;
    const few = stepsOf(one, idIn(one)).find(({ name }) => name === 'witnesses');
    expect(few).toMatchObject({ verdict: 'unchecked', case: 'few', checked: 1, of: 3 });
    const unwitnessed = stepsOf({ ...valid, witnesses: [] }, idIn(valid)).find(({ name }) => name === 'witnesses');
    expect(unwitnessed).toMatchObject({ verdict: 'unchecked', case: 'none' });
  });

  test('fail for the proof of another entry than the one that was asked for', () => {
    expect(badSteps(valid, 'A'.repeat(43))).toEqual(['item']);
  });
});
