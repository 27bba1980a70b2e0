import { expect, test } from 'vitest';
import { event } from '../../../../protocol/event-shapes.ts';
import { EVENT_TYPES } from '../../../../protocol/events.ts';
import samples from './event-samples.json' with { type: 'json' };

test('there is a sample of each type of event, as it is sent', () => {
  expect(samples.map(({ type }) => type)).toEqual(EVENT_TYPES);
  for (const { timestamp, ...sample } of samples) {
    expect(event.parse(sample)).toEqual(sample);
    expect(timestamp).toBe(sample.at);
  }
});
