/** What matters to a holder now. */
export default { title: 'Perpetua' };
