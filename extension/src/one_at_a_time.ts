// Work of which one run may not overtake another: who asks while it runs shares the one run that begins after it, and
// so gets an answer that is not older than the question.

export class OneAtATime<T> {
  private current: Promise<T> | undefined;
  private following: Promise<T> | undefined;

  constructor(private readonly work: () => Promise<T>) {}

  run(): Promise<T> {
    if (this.current === undefined) return this.begin();
    this.following ??= this.current.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.following;
  }

  private begin(): Promise<T> {
    this.following = undefined;
    const run = this.work();
    this.current = run;
    const over = () => {
      if (this.current === run) this.current = undefined;
    };
    run.then(over, over);
    return run;
  }
}
