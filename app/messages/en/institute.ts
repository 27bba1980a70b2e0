/** The pages of the institute. */
export default { title: 'Perpetua' };
