/** Maximum number of items in a page of a list or of records. Protocol §4, §8. */
export const MAX_PAGE_SIZE = 200;
