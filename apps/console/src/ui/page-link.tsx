import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMembership } from '../api/queries.ts'
import { familyOfKey } from '../declared/families.ts'
import { listTarget, recordTarget, type Target } from '../declared/pages.ts'

type Search = Target['search']

/** A page by its path, without query. */
export const toPage = (path: string, search: Search = {}): Target => ({ path, search })

/** The list of a family, with a filter or an open form. */
export function toList(key: string, search: Search = {}): Target {
  const entry = familyOfKey(key)
  if (!entry) throw new Error(`No family has the key ${key}.`)
  const target = listTarget(entry)
  return { ...target, search: { ...target.search, ...search } }
}

/** A record of a family. */
export function toRecord(key: string, id: string): Target {
  const entry = familyOfKey(key)
  if (!entry) throw new Error(`No family has the key ${key}.`)
  return recordTarget(entry, id)
}

/** Link to a page of the current organization. */
export function PageLink({
  to: { path, search },
  children,
  className,
  ...rest
}: {
  to: Target
  children: ReactNode
  className?: string | undefined
  title?: string
}) {
  const { organizationId } = useMembership()
  return (
    <Link
      to={`/o/${organizationId}/${path}` as never}
      search={search as never}
      className={className}
      {...rest}
    >
      {children}
    </Link>
  )
}

/** Opens a page of the current organization. */
export function useOpenPage(): (target: Target, options?: { replace?: boolean }) => Promise<void> {
  const { organizationId } = useMembership()
  const navigate = useNavigate()
  return ({ path, search }, options = {}) =>
    navigate({ to: `/o/${organizationId}/${path}` as never, search: search as never, ...options })
}
