import { expect, test } from 'vitest';
import { biomarkerNameIn } from './biomarker-names.tsx';

test('a text that names a member of every object is a code without a name', () => {
  for (const code of ['__proto__', 'constructor', 'toString']) expect(biomarkerNameIn({}, code)).toBe(code);
});
