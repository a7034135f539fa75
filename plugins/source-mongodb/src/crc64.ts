const polynomial = 0xc96c_5795_d787_0f42n;

const table = Array.from({ length: 256 }, (_, byte) => {
  let crc = BigInt(byte);
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1n ? (crc >> 1n) ^ polynomial : crc >> 1n;
  return crc;
});
const lows = Int32Array.from(table, (crc) => Number(BigInt.asIntN(32, crc)));
const highs = Int32Array.from(table, (crc) => Number(BigInt.asIntN(32, crc >> 32n)));

/** The checksum of archives: CRC-64 of ECMA-182, reflected. In halves, as BigInt is far too slow. */
export class Crc64 {
  #low = -1;
  #high = -1;

  add(bytes: Uint8Array): void {
    let low = this.#low;
    let high = this.#high;
    for (let at = 0; at < bytes.length; at += 1) {
      const row = (low ^ (bytes[at] as number)) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ (lows[row] as number);
      high = (high >>> 8) ^ (highs[row] as number);
    }
    this.#low = low;
    this.#high = high;
  }

  /** As a signed number. */
  get value(): bigint {
    return BigInt.asIntN(64, (BigInt(~this.#high >>> 0) << 32n) | BigInt(~this.#low >>> 0));
  }
}
