import { expect, test } from 'vitest';
import { measuredText } from './value-text.ts';

test.each([
  ['42.50', 'ng/mL', '42.50 ng/mL'],
  [13.1, 'g/dL', '13.1 g/dL'],
  ['<0.5', 'mg/L', '<0.5 mg/L'],
  ['=1+1', 'genotype', '=1+1 genotype'],
  [null, 'g/L', 'null g/L'],
  ['2.5', '1', '2.5'],
  [{ systolic: 132, diastolic: 84 }, 'mmHg', '132/84 mmHg'],
  [{ diastolic: 84, pulse: 71, systolic: 132 }, 'mmHg', '132/84 mmHg, pulse 71'],
  [{ systolic: 132 }, 'mmHg', 'systolic 132 mmHg'],
  [{ systolic: [132, 130], diastolic: 84 }, 'mmHg', 'systolic 132, 130, diastolic 84 mmHg'],
  [{ PFOA: 1.2, PFHxS: '<0.1' }, 'ng/mL', 'PFOA 1.2, PFHxS <0.1 ng/mL'],
  [{ rest: { systolic: 120, diastolic: 80 }, arm: 'left' }, 'mmHg', 'rest (120/80), arm left mmHg'],
  [[118, 121], 'mmHg', '118, 121 mmHg'],
  [{}, 'mmHg', ''],
])('people read %j in %s as “%s”', (value, unit, text) => {
  expect(measuredText({ value, unit })).toBe(text);
});
