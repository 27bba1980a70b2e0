/** The first page. */
export default { title: 'Perpetua' };
