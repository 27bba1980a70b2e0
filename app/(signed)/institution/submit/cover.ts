import type { IeoType } from '../../../../protocol/entities/ieo.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import type { Cover } from './record-of-cells.ts';

const DEVICES = 'BSP-DV';

/** What a consent lets an institution submit. For a device maker, `*` covers only what devices measure. Protocol §3. */
export const coverOf = ({ scope }: TokenView, type: IeoType): Cover => ({
  covers: (category) =>
    scope.categories.includes('*') ? type !== 'WEARABLE' || category === DEVICES : scope.categories.includes(category),
  levels: scope.levels,
  period: scope.period,
});
