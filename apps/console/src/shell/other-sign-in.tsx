import { useQuery } from '@tanstack/react-query'
import { methodsQuery } from '../api/queries.ts'

/**
 * The link to the provider of identities, where the deployment trusts one.
 *
 * @param isAgain whether who is signed in shows anew who it is; that opens beside what is being written
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
