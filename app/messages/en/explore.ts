/** The public explorer, and checking it oneself. */
export default { title: 'Perpetua' };
