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
# Every client waits for itself: one that sends nothing, or a byte from time to time, holds up no other one.
my ($max_clients, $max_bytes, $max_seconds) = (256, 65536, 5);
my %clients;
while (1) {
  my $waiting = '';
  vec($waiting, $_, 1) = 1 for fileno($server), keys %clients;
  my $found = select(my $ready = $waiting, undef, undef, %clients ? 1 : undef);
  my $now = time;
  for my $number (keys %clients) {
    my $client = $clients{$number};
    my $is_over = $now - $client->{since} > $max_seconds;
    if ($found > 0 && vec($ready, $number, 1)) {
      my $read = sysread($client->{socket}, my $part, 8192);
      $client->{request} .= $part if $read;
      $is_over = 1 if !$read || length($client->{request}) > $max_bytes;
    }
    if ($client->{request} =~ /\r?\n\r?\n/) { answer($client); $is_over = 1 }
    if ($is_over) { close($client->{socket}); delete $clients{$number} }
  }
  next unless $found > 0 && vec($ready, fileno($server), 1);
  accept(my $socket, $server) or next;
  if (keys %clients >= $max_clients) {
    my ($oldest) = sort { $clients{$a}{since} <=> $clients{$b}{since} } keys %clients;
    close($clients{$oldest}{socket});
    delete $clients{$oldest};
  }
  $clients{fileno($socket)} = { socket => $socket, request => '', since => $now };
}
sub answer {
  my ($client) = @_;
  my ($path) = $client->{request} =~ /^(?:GET|HEAD) ([^ ?]+)/;
  my $body = defined $path ? $answers{$path} : undef;
  my $status = defined $body ? '200 OK' : '404 Not Found';
  $body = "404 page not found\n" unless defined $body;
  syswrite($client->{socket}, "HTTP/1.1 $status\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " . length($body) . "\r\n\r\n$body");
}
`;
