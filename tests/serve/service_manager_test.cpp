#include "tfm/serve/service_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <map>
#include <string>

#include "temporary_folder.h"
#include "tfm/core/error.h"

namespace tfm {
namespace {

using std::chrono::milliseconds;
using testing::IsEmpty;
using testing::MatchesRegex;

Variables variables(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : found->second.c_str();
  };
}

/// A socket in the place of systemd's.
class Manager {
 public:
  explicit Manager(const std::string& name) : descriptor_(::socket(AF_UNIX, SOCK_DGRAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    name.copy(address.sun_path, name.size());
    if (name.front() == '@') address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    EXPECT_EQ(::bind(descriptor_, reinterpret_cast<sockaddr*>(&address), size), 0);
  }
  ~Manager() { ::close(descriptor_); }
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  /// Returns the next report, or an empty text if there is none.
  std::string next() const {
    std::array<char, 500> report{};
    const auto size = ::recv(descriptor_, report.data(), report.size(), MSG_DONTWAIT);
    return size < 0 ? "" : std::string(report.data(), static_cast<std::size_t>(size));
  }

 private:
  int descriptor_;
};

TEST(ServiceManager, IsToldEachStateOnce) {
  const TemporaryFolder folder;
  const auto socket = folder.path("notify").string();
  const Manager manager(socket);
  ServiceManager service(variables({{"NOTIFY_SOCKET", socket}}));
  service.ready("de to en");
  EXPECT_EQ(manager.next(), "READY=1\nSTATUS=de to en");
  service.reloading();
  EXPECT_THAT(manager.next(), MatchesRegex("RELOADING=1\nMONOTONIC_USEC=[1-9][0-9]*"));
  service.stopping();
  EXPECT_EQ(manager.next(), "STOPPING=1");
  EXPECT_THAT(manager.next(), IsEmpty());
}

TEST(ServiceManager, IsReachedAtAnAbstractAddress) {
  const auto name = "@tfm-test-" + std::to_string(::getpid());
  const Manager manager(name);
  ServiceManager(variables({{"NOTIFY_SOCKET", name}})).stopping();
  EXPECT_EQ(manager.next(), "STOPPING=1");
}

TEST(ServiceManager, HearsOfALivingServiceTwicePerInterval) {
  const TemporaryFolder folder;
  const auto socket = folder.path("notify").string();
  const Manager manager(socket);
  ServiceManager service(variables({{"NOTIFY_SOCKET", socket}, {"WATCHDOG_USEC", "1000000"}}));
  const std::chrono::steady_clock::time_point begin;
  service.alive(begin);
  EXPECT_EQ(manager.next(), "WATCHDOG=1");
  service.alive(begin + milliseconds(499));
  EXPECT_THAT(manager.next(), IsEmpty());
  service.alive(begin + milliseconds(500));
  EXPECT_EQ(manager.next(), "WATCHDOG=1");
}

TEST(ServiceManager, IsNotToldOfLifeIfItDoesNotAskThisProcess) {
  const TemporaryFolder folder;
  const auto socket = folder.path("notify").string();
  const Manager manager(socket);
  ServiceManager(variables({{"NOTIFY_SOCKET", socket}})).alive({});
  ServiceManager(
      variables({{"NOTIFY_SOCKET", socket}, {"WATCHDOG_USEC", "9"}, {"WATCHDOG_PID", "1"}}))
      .alive({});
  EXPECT_THAT(manager.next(), IsEmpty());
}

TEST(ServiceManager, MayBeAbsentOrGone) {
  ServiceManager(variables({})).ready("no socket");
  ServiceManager(variables({{"NOTIFY_SOCKET", "/nowhere/notify"}})).ready("no socket");
  ServiceManager(variables({{"NOTIFY_SOCKET", std::string(200, 'x')}})).ready("no socket");
}

TEST(InheritedSocket, IsTheFirstDescriptorAfterStderr) {
  const auto pid = std::to_string(::getpid());
  EXPECT_EQ(inherited_socket(variables({})), std::nullopt);
  EXPECT_EQ(inherited_socket(variables({{"LISTEN_PID", pid}, {"LISTEN_FDS", "1"}})), 3);
}

TEST(InheritedSocket, OfAnotherProcessDoesNotCount) {
  EXPECT_EQ(inherited_socket(variables({{"LISTEN_PID", "1"}, {"LISTEN_FDS", "1"}})), std::nullopt);
}

TEST(InheritedSocket, MustBeTheOnlyOne) {
  const auto pid = std::to_string(::getpid());
  EXPECT_THROW(inherited_socket(variables({{"LISTEN_PID", pid}, {"LISTEN_FDS", "2"}})),
               ConfigError);
}

}  // namespace
}  // namespace tfm
