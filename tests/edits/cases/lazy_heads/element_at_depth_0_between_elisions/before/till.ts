import { Clock } from "./clock";

export class Till {
  open() {
    this.count = 0;
  }

  async report(): Promise<{
    total: number;
  }> {
    const total = await this.sum();
    this.log(total);
    return { total };
  }

  close() {
    this.log("closed");
  }
}
