import { useQuery } from '@tanstack/react-query'
import { askBeside } from '../api/send.ts'

interface Methods {
  readonly data: { readonly openId: { readonly name: string } | null }
}

/**
 * The link to the provider of identities, where the deployment trusts one.
 *
 * @param isAgain whether who is signed in shows anew who it is; that opens beside what is being written
 */
export function OtherSignIn({ isAgain = false }: { isAgain?: boolean }) {
  const { data } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: () => askBeside<Methods>('/auth/methods'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const provider = data?.data.openId
  if (!provider) return null
  return (
    <p>
      {isAgain ? (
        <a href="/auth/openid/reauthentication" target="_blank" rel="noreferrer">
          Show who you are at {provider.name}, then send again
        </a>
      ) : (
        <a href="/auth/openid">Sign in with {provider.name}</a>
      )}
    </p>
  )
}
