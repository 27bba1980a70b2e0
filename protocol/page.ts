/** Most that one page of a list or of records holds. Protocol §4, §8. */
export const MAX_PAGE_SIZE = 200;
