export default { title: 'Perpetua' };
