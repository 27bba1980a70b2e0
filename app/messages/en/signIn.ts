/** Choosing an identity, and bringing its key. */
export default { title: 'Perpetua' };
