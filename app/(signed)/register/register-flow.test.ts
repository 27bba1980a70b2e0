import { describe, expect, test } from 'vitest';
import { type Event, FIRST, next, STEPS, type State, screenOf, signedFields } from './register-flow.ts';

const naming = { displayName: 'A Clinic', country: '', jurisdiction: '', legalId: '' };
const domainChosen: Event = { type: 'domainChosen', domain: 'clinic.bsp' };
const typeChosen: Event = { type: 'typeChosen', ieoType: 'HOSPITAL' };
const named: Event = { type: 'named', naming };
const agreed: Event = { type: 'agreed' };
const copied: Event = { type: 'copied' };
const registered: Event = { type: 'registered', ieoId: 'an-id' };
const ALL = [domainChosen, typeChosen, named, agreed, copied];

const stateAfter = (...events: Event[]): State => events.reduce(next, FIRST);
const shown = (requested: string | null, state: State) => screenOf(requested, state).at;

describe('registering an institution', () => {
  test('goes through every screen in order, to the end', () => {
    const walked = [...ALL, registered].map((_, index) => shown('browser', stateAfter(...ALL.slice(0, index))));
    expect([...walked, shown('send', stateAfter(...ALL, registered))]).toEqual([...STEPS]);
    expect(stateAfter(...ALL, registered)).toEqual({ at: 'registered', domain: 'clinic.bsp', ieoId: 'an-id' });
  });

  test('shows no screen before the earlier ones are answered, and allows going back', () => {
    expect(shown(null, FIRST)).toBe('domain');
    expect(shown('send', FIRST)).toBe('domain');
    expect(shown('send', stateAfter(domainChosen))).toBe('type');
    expect(shown('send', stateAfter(domainChosen, typeChosen, named, agreed))).toBe('key');
    expect(STEPS.map((step) => shown(step, stateAfter(...ALL)))).toEqual([...STEPS.slice(0, -1), 'send']);
    expect(shown('what', stateAfter(...ALL))).toBe('domain');
  });

  test('ignores events that do not apply to a state', () => {
    for (const event of [agreed, copied, registered]) expect(next(FIRST, event)).toBe(FIRST);
    const seen = stateAfter(domainChosen, typeChosen, named);
    for (const event of [copied, registered]) expect(next(seen, event)).toBe(seen);
    const done = stateAfter(...ALL, registered);
    for (const event of ALL) expect(next(done, event)).toBe(done);
    for (const requested of [null, 'domain', 'send']) expect(shown(requested, done)).toBe('browser');
  });

  test('needs a new copy of the key only for another domain', () => {
    expect(shown('send', stateAfter(...ALL, domainChosen))).toBe('send');
    expect(shown('send', stateAfter(...ALL, { type: 'domainChosen', domain: 'other.bsp' }))).toBe('key');
  });

  test('continues after a reload with the key of the registered institution', () => {
    const resumed = stateAfter({ type: 'resumed', domain: 'clinic.bsp', ieoId: 'an-id' });
    expect(screenOf(null, resumed)).toEqual({ at: 'browser', domain: 'clinic.bsp', ieoId: 'an-id' });
  });
});

test('leaves empty details out of the signed fields', () => {
  const signed = { domain: 'clinic.bsp', ieoType: 'HOSPITAL', displayName: 'A Clinic', publicKey: 'ab' };
  const registration = { domain: 'clinic.bsp', ieoType: 'HOSPITAL', ...naming } as const;
  expect(signedFields(registration, 'ab')).toEqual(signed);
  expect(signedFields({ ...registration, country: 'BR' }, 'ab')).toEqual({ ...signed, country: 'BR' });
});
