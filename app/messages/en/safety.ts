/** Keeping, replacing, locking and destroying. */
export default { title: 'Perpetua' };
