import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Entrance } from './shell/entrance.tsx'
import { Shell } from './shell/shell.tsx'
import { Fault } from './ui/notice.tsx'

/** Query parameters of the URL, as text: filters, tab, open form. */
export type SearchParams = Readonly<Record<string, string>>

const root = createRootRoute({
  component: Outlet,
  validateSearch: (search: Record<string, unknown>): SearchParams =>
    Object.fromEntries(Object.entries(search).map(([key, value]) => [key, String(value)])),
})
const entrance = createRoute({ getParentRoute: () => root, path: '/', component: Entrance })
const organization = createRoute({
  getParentRoute: () => root,
  path: '/o/$organizationId',
  component: Shell,
})
const home = createRoute({
  getParentRoute: () => organization,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/home.tsx'), 'Home'),
})
const yourSignIn = createRoute({
  getParentRoute: () => organization,
  path: '/your-sign-in',
  component: lazyRouteComponent(() => import('./pages/your-sign-in.tsx'), 'YourSignIn'),
})
const anything = createRoute({
  getParentRoute: () => organization,
  path: '$',
  component: lazyRouteComponent(() => import('./pages/routed-page.tsx'), 'RoutedPage'),
})

/** Shortest time between two reloads for missing scripts. */
const reloadMilliseconds = 60_000

/** An update of the service removes the scripts of open pages: loads the page again, once a minute. */
function PageFault({ error }: { error: unknown }) {
  const isOutdated = error instanceof Error && /dynamically imported module/.test(error.message)
  const [isReloading] = useState(
    () => isOutdated && Date.now() - Number(history.state?.reloadedAt ?? 0) > reloadMilliseconds,
  )
  useEffect(() => {
    if (!isReloading) return
    history.replaceState({ ...history.state, reloadedAt: Date.now() }, '')
    location.reload()
  }, [isReloading])
  return isReloading ? null : <Fault error={error} />
}

export function makeRouter() {
  return createRouter({
    routeTree: root.addChildren([entrance, organization.addChildren([home, yourSignIn, anything])]),
    // Values are texts: an id of digits stays text.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(
        ([, value]) => value !== undefined && value !== '',
      )
      const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString()
      return text === '' ? '' : `?${text}`
    },
    scrollRestoration: true,
    defaultErrorComponent: ({ error }) => <PageFault error={error} />,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
