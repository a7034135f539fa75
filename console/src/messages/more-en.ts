export default import.meta.glob<object>(['./en/*.ts', '!./en/{common,frame,home}.ts'], {
  eager: true,
  import: 'default',
});
