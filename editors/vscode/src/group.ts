/** Groups items by a key, as `Map.groupBy` does, which Node.js has from version 21 on. */
export function groupBy<T, K>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const of = key(item);
    const group = groups.get(of);
    if (group === undefined) {
      groups.set(of, [item]);
    } else {
      group.push(item);
    }
  }
  return groups;
}
