export const prepare = async () => undefined;
export default function Plots({ id }: { id: number }) {
  return <p>{id}</p>;
}
