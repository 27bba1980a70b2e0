import { useBiomarkerName } from '../../../_i18n/biomarker-names.tsx';
import { useCategoryName } from '../../../_ui/category-name.tsx';
import type { Names } from './biomarkers.ts';

/** Needs the messages of `scope`. */
export function useNames(): Names {
  return { biomarker: useBiomarkerName(), category: useCategoryName() };
}
