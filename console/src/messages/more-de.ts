export default import.meta.glob<object>(['./de/*.ts', '!./de/{common,frame,home}.ts'], {
  eager: true,
  import: 'default',
});
