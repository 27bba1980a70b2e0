/** Most that one page of a list or of records holds. Protocol §4, §8. */
export const MOST_PER_PAGE = 200;
