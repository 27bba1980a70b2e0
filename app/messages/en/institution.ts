/** The pages of an institution. */
export default { title: 'Perpetua' };
