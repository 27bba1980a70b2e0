import { z } from 'zod';
import { MAX_PAGE_SIZE } from '../../../protocol/page.ts';

/** The maximum and the default length of a page. Protocol §4, §8. */
export interface PageBounds {
  readonly max: number;
  readonly fallback: number;
}

export const LIST_BOUNDS: PageBounds = { max: MAX_PAGE_SIZE, fallback: 50 };
/** Institutions found by name. */
export const FOUND_BOUNDS: PageBounds = { max: 20, fallback: 20 };
export const RECORD_BOUNDS: PageBounds = { max: MAX_PAGE_SIZE, fallback: 100 };

/** The length of a page, for both transports; larger values become `max`. Protocol §1. */
export const boundedLimit = ({ max, fallback }: PageBounds) =>
  z
    .int()
    .min(1)
    .transform((limit) => Math.min(limit, max))
    .default(Math.min(fallback, max));
