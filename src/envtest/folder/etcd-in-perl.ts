/**
 * A server for envtest's health checks, in Perl's core modules: `/health` and `/version` as etcd answers them, and the folder of `--data-dir`,
 * in which the API server keeps its objects between restarts. Exits with 1 if it cannot listen.
 */
export const etcdInPerl = String.raw`
use strict; use Socket;
my %given;
while (@ARGV) {
  my $word = shift @ARGV;
  my ($name, $value) = $word =~ /^--?([^=]+)(?:=(.*))?$/ or next;
  $value = shift @ARGV if !defined $value && @ARGV && $ARGV[0] !~ /^-/;
  $given{$name} = $value;
}
my $urls = $given{'listen-client-urls'} || 'http://localhost:2379';
my ($host, $port) = $urls =~ m{^http://([^:/,]+):(\d+)} or die "etcd: invalid --listen-client-urls $urls\n";
my $data = $given{'data-dir'} || 'default.etcd';
$data = do { require Cwd; Cwd::getcwd() } . "/$data" if $data !~ m{^/};
my $address = inet_aton($host) or die "etcd: no such host: $host\n";
socket(my $server, PF_INET, SOCK_STREAM, getprotobyname('tcp') || 6) or die "etcd: $!\n";
setsockopt($server, SOL_SOCKET, SO_REUSEADDR, 1);
bind($server, sockaddr_in($port, $address)) or die "etcd: listen $host:$port: $!\n";
listen($server, 128) or die "etcd: $!\n";
$SIG{TERM} = $SIG{INT} = sub { exit 0 };
$SIG{PIPE} = 'IGNORE';
my %answers = (
  '/health' => '{"health":"true","reason":""}',
  '/version' => '{"etcdserver":"3.6.0","etcdcluster":"3.6.0"}',
  '/webhook-cli/data-dir' => $data,
);
while (1) {
  accept(my $client, $server) or next;
  my $request = '';
  while ($request !~ /\r?\n\r?\n/ && length($request) < 65536) {
    my $waiting = '';
    vec($waiting, fileno($client), 1) = 1;
    last unless select($waiting, undef, undef, 1) > 0;
    last unless sysread($client, my $part, 8192);
    $request .= $part;
  }
  my ($path) = $request =~ /^(?:GET|HEAD) ([^ ?]+)/;
  my $body = defined $path ? $answers{$path} : undef;
  my $status = defined $body ? '200 OK' : '404 Not Found';
  $body = "404 page not found\n" unless defined $body;
  syswrite($client, "HTTP/1.1 $status\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " . length($body) . "\r\n\r\n$body");
  close($client);
}
`;
