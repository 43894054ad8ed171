import { basePath, operations } from '@liquidity-os/contract'

const templates = Map.groupBy(operations, ({ path }) => path)
const patterns = [...templates].map(([path, declared]) => ({
  pattern: new RegExp(`^${escapePattern(basePath + path).replaceAll(/\\\{\w+\\\}/g, '[^/]+')}$`),
  methods: declared.map(({ method }) => method),
}))

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The methods that the contract knows for a path, for the Allow header; empty for an unknown path. */
export function methodsOfPath(url: string): string[] {
  const path = url.split('?')[0] ?? ''
  const methods = patterns
    .filter(({ pattern }) => pattern.test(path))
    .flatMap((found) => found.methods)
  return [...new Set(methods)].sort()
}
