/** A record that a request references at its exact version. */
interface Source {
  resourceType: string
  id: string
  resourceVersion: string
}

const isSource = (value: object): value is Source =>
  'resourceType' in value && 'id' in value && 'resourceVersion' in value

/** All versioned record references of a request. */
export function sourcesIn(value: unknown): Source[] {
  if (typeof value !== 'object' || value === null) return []
  return isSource(value) ? [value] : Object.values(value).flatMap(sourcesIn)
}

/** The request with its sources at the given versions. */
export function withVersions<Value>(value: Value, versions: ReadonlyMap<string, string>): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => withVersions(one, versions)) as Value
  if (isSource(value)) {
    return { ...value, resourceVersion: versions.get(value.id) ?? value.resourceVersion }
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withVersions(one, versions)]),
  ) as Value
}
