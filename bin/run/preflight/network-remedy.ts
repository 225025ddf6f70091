/** Says what the user can do if the first request of a run got no answer. */
import type { TransportError } from '../../../fixtures/exchange/exchange.ts';
import type { Remedy } from '../../../fixtures/judgement/reason.ts';

/** Returns the advice for an error of the connection; null if there is none. `arrived`: at least one byte of an answer came. */
export function findNetworkRemedy({ kind, cause, arrived }: TransportError, baseUrl: string): Remedy | null {
  switch (cause) {
    case 'refused':
      return {
        told: 'Nobody listens there: is the target up, and is the port of BASE_URL right? WAIT=60 waits a minute for one that is starting.',
      };
    case 'no-such-host':
      return { told: 'Nobody knows this host name: look at BASE_URL, or at the proxy that leads there.' };
    case 'not-trusted':
      return { told: 'CA_FILE names a file with the certificate of an authority to trust.' };
    case 'no-tls':
      return {
        told: 'The target does not speak TLS there.',
        variables: { BASE_URL: replaceScheme(baseUrl, 'http') },
      };
    case 'no-http-1':
      return { told: 'The target offers no HTTP/1.1 there (HTTP/2 alone?), and the suite speaks HTTP/1.1.' };
    case 'proxy':
      return {
        told: 'Look at the proxy of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, or take the target into NO_PROXY.',
      };
    default:
  }
  if (kind === 'broken' && !arrived && baseUrl.startsWith('http:')) {
    return {
      told: `Does that port speak TLS? Then BASE_URL=${replaceScheme(baseUrl, 'https')} is its address.`,
    };
  }
  return kind === 'timeout'
    ? { told: 'A longer REQUEST_TIMEOUT waits longer; is the way to the target open from here?' }
    : null;
}

/** Returns the address with another scheme. */
export function replaceScheme(baseUrl: string, scheme: 'http' | 'https'): string {
  return baseUrl.replace(/^https?:/, `${scheme}:`);
}
