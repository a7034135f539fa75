/**
 * Lets the changes of this process go one after the other: those that run at once on the same rows would refuse each
 * other again and again. One that takes long is not waited for.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly patienceMs: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    let pass = () => {};
    this.#last = new Promise((resolve) => {
      pass = resolve;
    });
    await before;
    const timer = setTimeout(pass, this.patienceMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      pass();
    }
  }
}
