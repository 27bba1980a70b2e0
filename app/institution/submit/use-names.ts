import { useBiomarkerName } from '../../biomarkers/provider.tsx';
import { useCategoryName } from '../../records/category-name.tsx';
import type { Names } from './biomarkers.ts';

/** Needs the messages of `scope`. */
export function useNames(): Names {
  return { biomarker: useBiomarkerName(), category: useCategoryName() };
}
