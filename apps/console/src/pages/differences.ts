export interface Change {
  path: string
  from: unknown
  to: unknown
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members that differ, each by its path; lists are compared as a whole. */
export function changesBetween(from: unknown, to: unknown, path = ''): Change[] {
  if (JSON.stringify(from) === JSON.stringify(to)) return []
  if (!isObject(from) || !isObject(to)) return [{ path, from, to }]
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])]
  return names.flatMap((name) =>
    changesBetween(from[name], to[name], path === '' ? name : `${path}.${name}`),
  )
}
