import { useQuery } from '@tanstack/react-query'
import { methodsQuery } from '../api/queries.ts'

/**
 * Link to the identity provider, if the deployment configures one.
 *
 * @param isAgain true to sign in again in a new tab, so current input remains
 */
export function OtherSignIn({ isAgain = false }: { isAgain?: boolean }) {
  const { data } = useQuery(methodsQuery)
  const provider = data?.openId
  if (!provider) return null
  return (
    <p>
      {isAgain ? (
        <a href="/auth/openid/reauthentication" target="_blank" rel="noreferrer">
          Sign in again at {provider.name}, then submit again
        </a>
      ) : (
        <a href="/auth/openid">Sign in with {provider.name}</a>
      )}
    </p>
  )
}
