import { useQueries } from '@tanstack/react-query'
import { familyOfType } from '../declared/families.ts'
import { sourcesIn, withVersions } from '../declared/sources.ts'
import { itemQuery, useMembership } from './queries.ts'

/** Copies an earlier request with all named sources at their current versions. */
export function useCurrentSources<Request>(request: Request): Request {
  const { organizationId } = useMembership()
  const versions = useQueries({
    queries: sourcesIn(request).flatMap(({ resourceType, id }) => {
      const entry = familyOfType(resourceType)
      return entry ? [itemQuery(organizationId, entry, id)] : []
    }),
    combine: (found) =>
      found.flatMap(({ data }) => {
        const { id, resourceVersion } = data?.item ?? {}
        return typeof id === 'string' && typeof resourceVersion === 'string'
          ? [[id, resourceVersion] as const]
          : []
      }),
  })
  return withVersions(request, new Map(versions))
}
