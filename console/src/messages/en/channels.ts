/** The form of one notification channel. */
export default {
  service: 'Service',
  choose: 'Choose a service',
  other: 'Another address',
  addressHint: 'A service URL such as json://host/path. Other services need an Apprise server.',
  web: 'URL',
  scheme: 'Address starts with',
  more: 'More settings',
  usual: 'Default',
  nameHint: 'Shown in lists.',
  test: 'Send a test message',
  testHint: 'Nothing is saved.',
  fillIn: 'Fill in the required fields first.',
  sent: 'The message was sent.',
  notSent: 'The message was not sent.',
  /** Labels of fields come from the services, in English. */
  /** Of a field, as the service names it. */
  labelOf: (label: string) => label,
};
