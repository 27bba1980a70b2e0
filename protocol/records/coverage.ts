import type { IeoType } from '../entities/ieo.ts';
import { includesCategory, type Scope } from '../entities/token.ts';
import { CATEGORIES, levelOf } from './taxonomy.ts';

/** The categories that a scope covers: those it includes and whose level is among its levels. Protocol §3. */
export const categoriesCoveredBy = (scope: Scope, type: IeoType | null): readonly string[] =>
  CATEGORIES.filter(
    (category) => includesCategory(scope, category, type) && coversLevel(scope, levelOf(category) ?? ''),
  );

export const coversLevel = ({ levels }: Scope, level: string): boolean => levels.length === 0 || levels.includes(level);

/** A category and a level; either may be left out. */
export interface Place {
  readonly category?: string | undefined;
  readonly level?: string | undefined;
}

/** Whether a scope covers any biomarker of a category and a level; without either, any category or level. Protocol §4. */
export const covers = (scope: Scope, type: IeoType | null, { category, level }: Place): boolean =>
  categoriesCoveredBy(scope, type).some(
    (covered) =>
      (category === undefined || covered === category) && (level === undefined || levelOf(covered) === level),
  );
